"""What every game is made of: a state, steps on an agenda, chance handed in, a log that knows who may see."""
