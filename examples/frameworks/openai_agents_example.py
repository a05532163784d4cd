"""OpenAI Agents SDK: needs_approval stops a call that planlint asks for; a tool input guardrail refuses the others.

    @function_tool(needs_approval=approvals(guard), tool_input_guardrails=[guardrail(guard)])

A run that stops has interruptions: state.approve(item) or state.reject(item), then Runner.run(agent, state).
Hooks record what came back, so that a later call is judged by it.
"""
import json

from agents import RunHooks, ToolGuardrailFunctionOutput, ToolInputGuardrail

from planlint_hook import Answer, Planlint, call


class Turn:
    """One guard for a run. A call is decided once, whoever asks first."""

    def __init__(self, guard: Planlint):
        self.guard, self.answers = guard, {}
        guard.can_ask = True

    async def answer(self, id, name, args) -> Answer:
        if id not in self.answers:
            self.answers[id] = (await self.guard.before_async([call(id, name, args)]))[0]
        return self.answers[id]


def approvals(turn: Turn, name: str):
    async def needs_approval(context, args, call_id):
        return (await turn.answer(call_id, name, args)).decision == "ask"
    return needs_approval


def guardrail(turn: Turn):
    async def check(data):
        context = data.context
        args = json.loads(context.tool_arguments or "{}")
        answer = await turn.answer(context.tool_call_id, context.tool_name, args)
        if answer.decision == "deny":
            return ToolGuardrailFunctionOutput.reject_content(answer.message)
        return ToolGuardrailFunctionOutput.allow()  # an ask was approved, or the run would have stopped
    return ToolInputGuardrail(guardrail_function=check, name="planlint")


class Record(RunHooks):
    def __init__(self, turn: Turn):
        self.turn = turn

    async def on_tool_end(self, context, agent, tool, result):
        args = json.loads(getattr(context, "tool_arguments", None) or "{}")
        await self.turn.guard.after_async(call(getattr(context, "tool_call_id", ""), tool.name, args), str(result))
