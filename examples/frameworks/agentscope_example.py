"""AgentScope: a toolkit middleware around every call of a tool.

    toolkit.register_middleware(planlint_middleware(guard))

A refused call is not run; its result is planlint's words. Where planlint asks, `ask` decides, which is yours: a
function of the question that returns True once a person has said yes.
"""
from agentscope.message import TextBlock
from agentscope.tool import ToolResponse

from planlint_hook import Planlint, call


def planlint_middleware(guard: Planlint, ask=None):
    guard.can_ask = ask is not None

    async def middleware(kwargs, next_handler):
        block = kwargs["tool_call"]
        proposed = call(block["id"], block["name"], block["input"])
        answer = (await guard.before_async([proposed]))[0]
        if answer.decision == "ask" and ask is not None and await ask(answer.message):
            answer = type(answer)("allow")
        if not answer.allowed:
            yield ToolResponse(content=[TextBlock(type="text", text=answer.message)])
            return
        said = []
        async for response in await next_handler(**kwargs):
            said = [part.get("text", "") for part in response.content if part.get("type") == "text"]
            yield response
        await guard.after_async(proposed, "\n".join(said))

    return middleware
