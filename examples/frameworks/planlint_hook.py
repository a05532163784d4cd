"""planlint in front of a Python agent framework: three calls of `planlint hook generic`.

    guard = Planlint(session="run-7")
    guard.prompt("Pay the vendor")                      # the user's own words
    answers = guard.before([call(id, tool, args), ...]) # all calls of one turn, before the first runs
    guard.after(call(id, tool, args), output)           # what came back

Whatever goes wrong is a refusal: planlint missing, killed, slow, or saying something that is no answer.
"""
import asyncio
import json
import os
import subprocess
from dataclasses import dataclass


def call(id, tool, args):
    return {"id": id, "tool": tool, "args": args}


@dataclass(frozen=True)
class Answer:
    """The answer for one call: allow, ask or deny, and what to say to the model or to a person."""
    decision: str
    message: str = ""

    @property
    def allowed(self):
        return self.decision == "allow"


class Planlint:
    def __init__(self, session, cwd=None, can_ask=False, agent="", binary="planlint", timeout=15):
        self.base = {"version": 1, "session": session, "cwd": cwd or os.getcwd(), "agent": agent}
        self.can_ask, self.binary, self.timeout = can_ask, binary, timeout

    def before(self, calls):
        """One answer a call, in order. The calls are decided as a plan."""
        code, said = self._run({"event": "before", "calls": calls, "can_ask": self.can_ask})
        answers = said.get("calls") or []
        if code == 0 and said.get("decision") in ("allow", "ask") and len(answers) == len(calls):
            return [self._answer(a) for a in answers]
        if code == 2 and len(answers) == len(calls):
            return [self._answer(a) for a in answers]
        return [Answer("deny", said.get("message") or "planlint gave no answer")] * len(calls)

    def after(self, call, output, outcome="ran"):
        self._run({"event": "after", "call": call, "output": output, "outcome": outcome})

    def prompt(self, words):
        self._run({"event": "prompt", "prompt": words})

    async def before_async(self, calls):
        return await asyncio.to_thread(self.before, calls)

    async def after_async(self, call, output, outcome="ran"):
        await asyncio.to_thread(self.after, call, output, outcome)

    @staticmethod
    def _answer(a):
        decision = a.get("decision")
        return Answer(decision if decision in ("allow", "ask") else "deny", a.get("message") or "refused by planlint")

    def _run(self, event):
        try:
            done = subprocess.run([self.binary, "hook", "generic"], input=json.dumps({**self.base, **event}, default=str),
                                  capture_output=True, text=True, timeout=self.timeout)
            said = json.loads(done.stdout or "{}")
            return done.returncode, said if isinstance(said, dict) else {}
        except (OSError, ValueError, TypeError, subprocess.SubprocessError) as error:
            return 1, {"message": f"planlint gave no answer: {error}"}
