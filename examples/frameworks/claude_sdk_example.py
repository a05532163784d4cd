"""Claude Agent SDK: hooks in the same process.

The SDK runs Claude Code, so `planlint hook install claude-code` covers it too where the SDK loads the user's
settings. These hooks are for programs that load none.
"""
import asyncio
import json

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher


async def _planlint(event, binary="planlint", timeout=15):
    """planlint hook claude-code with the SDK's own event; None where planlint gave no answer."""
    try:
        process = await asyncio.create_subprocess_exec(binary, "hook", "claude-code", stdin=asyncio.subprocess.PIPE,
                                                       stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        out, err = await asyncio.wait_for(process.communicate(json.dumps(event, default=str).encode()), timeout)
        return process.returncode, out.decode(), err.decode()
    except (OSError, TypeError, asyncio.TimeoutError) as error:
        return 1, "", f"planlint gave no answer: {error}"


def _decision(word, reason):
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": reason}}


async def before(event, tool_use_id, context):
    code, out, err = await _planlint(event)
    if code == 0 and not out.strip():
        return {}
    try:
        asked = code == 0 and json.loads(out)["hookSpecificOutput"]["permissionDecision"] == "ask"
        reason = json.loads(out)["hookSpecificOutput"]["permissionDecisionReason"]
    except (ValueError, KeyError, TypeError):
        asked, reason = False, err.strip() or "planlint gave no answer"
    return _decision("ask" if asked else "deny", reason)


async def record(event, tool_use_id, context):
    await _planlint(event)
    return {}


def options(**more):
    return ClaudeAgentOptions(hooks={
        "PreToolUse": [HookMatcher(hooks=[before])],
        "PostToolUse": [HookMatcher(hooks=[record])],
        "UserPromptSubmit": [HookMatcher(hooks=[record])],
    }, **more)
