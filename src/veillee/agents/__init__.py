"""Games for agents: programs that read, such as language models, play by the tools of an MCP server (ADR 41)."""
