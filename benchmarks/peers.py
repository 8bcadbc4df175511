"""Measures simulators that need an environment of their own, many games at once on one core, random allowed answers.

- Pgx (JAX on the processor): observations and masks; drawing the answers is compiled, and counts.
- fastcatan (Python 3.12 and newer): masks; it has no arrays of observations. Drawing the answers is NumPy's, and does not count.

usage: PYTHON benchmarks/peers.py NAME [--seconds S]      prints decisions/s of processor time; exit code 1: not installed
NAME: pgx/leduc_holdem, pgx/sparrow_mahjong, fastcatan. It imports nothing of Veillée: benchmarks/doors.py --peers runs it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from typing import Any

NAMES = ("pgx/leduc_holdem", "pgx/sparrow_mahjong", "fastcatan")
TABLES = 1024
STEPS = 16


def measure_pgx(game: str, seconds: float) -> float:
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax  # noqa: PLC0415  in its own environment
    import pgx  # noqa: PLC0415
    from jax import numpy as jnp  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env: Any = pgx.make(game)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    draw = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, TABLES))

    def steps() -> float:
        nonlocal state, key
        start = time.process_time()
        for _ in range(STEPS):
            key, own, chance = jax.random.split(key, 3)
            state = step(state, draw(own, state.legal_action_mask), jax.random.split(chance, TABLES))
        state.observation.block_until_ready()
        return time.process_time() - start

    return repeat(steps, seconds)


def measure_fastcatan(seconds: float) -> float:
    import fastcatan  # noqa: PLC0415  in its own environment
    import numpy as np  # noqa: PLC0415

    games: Any = fastcatan.BatchedEnv(TABLES, 1)
    games.reset()
    masks = np.zeros((TABLES, fastcatan.MASK_WORDS), np.uint64)
    over = np.zeros(TABLES, np.uint8)
    chance = np.random.default_rng(1)
    games.write_masks(masks)

    def steps() -> float:
        spent = 0.0
        for _ in range(STEPS):
            allowed = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")
            actions = (allowed * chance.random(allowed.shape, np.float32)).argmax(axis=1).astype(np.uint32)
            start = time.process_time()
            games.step_autoreset(actions, over)
            games.write_masks(masks)
            spent += time.process_time() - start
        return spent

    return repeat(steps, seconds)


def repeat(steps: Callable[[], float], seconds: float) -> float:
    steps()  # is compiled
    spent, count = 0.0, 0
    while spent < seconds:
        spent += steps()
        count += STEPS * TABLES
    return count / spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args()
    package, _, game = given.name.partition("/")
    try:
        print(measure_pgx(game, given.seconds) if package == "pgx" else measure_fastcatan(given.seconds))
    except ModuleNotFoundError as error:
        print(f"{given.name} is left out: {error}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
