"""Process that runs a custom bot: python -m veillee.match.custom_bot_process NAME

Each question comes in as a line of JSON, each answer goes out as one. The bot's prints go to stderr, and it has no
standard input. The process ends when its parent does, even while the bot is computing.

    {"sit": seed}                                                 -> {"ready": true}
    {"events": [...], "view": {...}, "choices": [...], "seconds": 5}  -> {"choice": 12}
    {"events": [...]}                                             -> {"choice": null}     the game is over

Errors are {"raised": "ValueError: … (mybot.py, line 3)"} or {"nonsense": "what it answered"}.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any, TextIO

from veillee.match import custom_bot


def main(name: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    lines, answers = apart()
    try:
        maker = custom_bot.find(name)
    except BaseException as error:  # noqa: BLE001  the bot's module may raise anything
        say(answers, {"raised": custom_bot.describe_exception(error, (custom_bot.__file__, __file__))})
        return
    say(answers, {"ready": True})
    bot: custom_bot.Bot | None = None
    while True:
        question = json.loads(lines.get())
        try:
            if "sit" in question:
                bot = custom_bot.make(maker, question["sit"])
                say(answers, {"ready": True})
                continue
            assert bot is not None
            answer = custom_bot.ask(bot, question)
        except BaseException as error:  # noqa: BLE001
            say(answers, {"raised": custom_bot.describe_exception(error, (custom_bot.__file__, __file__))})
            continue
        sound = "choices" not in question or custom_bot.is_id(answer, question)
        say(answers, {"choice": answer} if sound else {"nonsense": custom_bot.short_repr(answer)})


def apart() -> tuple[SimpleQueue[str], TextIO]:
    """Returns the queue of questions and the stream for answers, on duplicated file descriptors that the bot cannot
    reach: its stdin is empty, its stdout goes to stderr.
    """
    questions, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  a file descriptor is wanted
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in questions:
            lines.put(line)
        os._exit(0)  # the parent has ended

    Thread(target=read, daemon=True).start()
    return lines, answers


def say(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
