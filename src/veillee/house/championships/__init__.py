"""Championships: the same sealed deals for all entrants, and standings with luck told apart from skill."""
