"""LangChain / LangGraph: a middleware that decides all calls of a turn before the first runs.

after_model sees the whole batch. A refused call is answered with planlint's words instead of running; where a call
has to be asked for, the run stops with LangGraph's interrupt (it needs a checkpointer) and goes on with
Command(resume="approve") or anything else for no.
"""
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.types import interrupt

from planlint_hook import Planlint, call


class PlanlintMiddleware(AgentMiddleware):
    def __init__(self, guard: Planlint):
        super().__init__()
        self.guard = guard
        guard.can_ask = True

    def before_agent(self, state, runtime):
        last = state["messages"][-1]
        if isinstance(last, HumanMessage):
            self.guard.prompt(last.text if isinstance(last.text, str) else last.text())

    def after_model(self, state, runtime):
        message = state["messages"][-1]
        proposed = getattr(message, "tool_calls", None) or []
        if not proposed:
            return None
        answers = self.guard.before([call(c["id"], c["name"], c["args"]) for c in proposed])
        refusals = []
        for c, a in zip(proposed, answers):
            if a.decision == "ask" and interrupt({"call": c, "question": a.message}) == "approve":
                continue
            if not a.allowed:
                refusals.append(ToolMessage(a.message, tool_call_id=c["id"], name=c["name"], status="error"))
        # Calls that have an answer are not run: the tool node only takes those without one.
        return {"messages": refusals} if refusals else None

    def wrap_tool_call(self, request, handler):
        result = handler(request)
        c = request.tool_call
        self.guard.after(call(c["id"], c["name"], c["args"]), getattr(result, "content", str(result)))
        return result
