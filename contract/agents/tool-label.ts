/**
 * `read_canvas` is `Read canvas`, `mcp_linear_find_issues` is `Find issues (linear)`. With the stored input of a
 * connector call, `github_create_issue` is `Create issue (github, ada)`.
 */
export function toolLabel(tool: string, input?: unknown): string {
  const [, server, name] = /^mcp_([a-z0-9-]+)_(.+)$/.exec(tool) ?? []
  if (server && name) return `${inWords(name)} (${server})`
  const { account } = Object(input) as { account?: unknown }
  const [, slug, action] = /^([a-z0-9-]+)_(.+)$/.exec(tool) ?? []
  return slug && action && typeof account === 'string'
    ? `${inWords(action)} (${slug}, ${account})`
    : inWords(tool)
}

function inWords(name: string): string {
  const words = name.replaceAll(/[_./:-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
