import { t } from '../text.ts'

export interface ClientSetup {
  id: 'claude-code' | 'claude-desktop' | 'cursor' | 'vscode' | 'codex' | 'chatgpt' | 'mcp-remote'
  label: string
  obstacle?: string | undefined
  /** Signing in through the browser creates a connected app. */
  signIn?: SetupStep[]
  key?: SetupStep[]
  /** Opens the program, which asks for consent. */
  link?: string
}

export interface SetupStep {
  text: string
  code?: string
}

/** Placeholder for the API key. */
const KEY = 'YOUR_API_KEY'
const json = (value: unknown) => JSON.stringify(value, null, 2)
const run = (code: string): SetupStep => ({ text: t`Run in a terminal:`, code })

export function clientSetups(url: string): ClientSetup[] {
  const headers = { Authorization: `Bearer ${KEY}` }
  const remote = (...extraArgs: string[]) => ({
    command: 'npx',
    args: ['-y', 'mcp-remote', url, ...(isPlainHttp(url) ? ['--allow-http'] : []), ...extraArgs],
  })
  const isPublic = isPublicUrl(url)
  const keyHeader = ['--header', `Authorization:Bearer ${KEY}`]
  return [
    {
      id: 'claude-code',
      label: 'Claude Code',
      signIn: [
        run(`claude mcp add --transport http atrium ${url}`),
        { text: t`Then run /mcp in Claude Code and choose atrium to sign in.` },
      ],
      key: [
        run(`claude mcp add --transport http atrium ${url} \\\n  --header "Authorization: Bearer ${KEY}"`),
      ],
    },
    {
      id: 'claude-desktop',
      label: 'Claude Desktop',
      obstacle: isPublic
        ? undefined
        : t`Claude’s desktop, web and mobile connectors connect from the internet, so this server needs a public https URL.`,
      signIn: isPublic
        ? [{ text: t`In Claude, open Settings, Connectors, Add custom connector, and enter:`, code: url }]
        : [
            {
              text: t`Claude Desktop can connect through mcp-remote. Add to claude_desktop_config.json:`,
              code: json({ mcpServers: { atrium: remote() } }),
            },
          ],
      key: [
        {
          text: t`Add to claude_desktop_config.json:`,
          code: json({ mcpServers: { atrium: remote(...keyHeader) } }),
        },
      ],
    },
    {
      id: 'cursor',
      label: 'Cursor',
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=atrium&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
      signIn: [{ text: t`Add to ~/.cursor/mcp.json:`, code: json({ mcpServers: { atrium: { url } } }) }],
      key: [
        { text: t`Add to ~/.cursor/mcp.json:`, code: json({ mcpServers: { atrium: { url, headers } } }) },
      ],
    },
    {
      id: 'vscode',
      label: 'VS Code',
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'atrium', type: 'http', url }))}`,
      signIn: [
        { text: t`Add to .vscode/mcp.json:`, code: json({ servers: { atrium: { type: 'http', url } } }) },
      ],
      key: [
        {
          text: t`Add to .vscode/mcp.json:`,
          code: json({ servers: { atrium: { type: 'http', url, headers } } }),
        },
      ],
    },
    {
      id: 'codex',
      label: 'Codex',
      signIn: [run(`codex mcp add atrium --url ${url}\ncodex mcp login atrium`)],
      key: [
        {
          text: t`Add to ~/.codex/config.toml, and set ATRIUM_API_KEY in the environment:`,
          code: `[mcp_servers.atrium]\nurl = "${url}"\nbearer_token_env_var = "ATRIUM_API_KEY"`,
        },
      ],
    },
    {
      id: 'chatgpt',
      label: 'ChatGPT',
      obstacle: isPublic
        ? undefined
        : t`ChatGPT connects from the internet, so this server needs a public https URL.`,
      signIn: [
        {
          text: t`In ChatGPT, turn on developer mode under Settings, Apps & Connectors, Advanced, then create a connector with:`,
          code: url,
        },
      ],
    },
    {
      id: 'mcp-remote',
      label: t`mcp-remote, others`,
      signIn: [
        { text: t`Clients with Streamable HTTP and OAuth need only the URL:`, code: url },
        {
          text: t`Clients that only start local servers need mcp-remote:`,
          code: json({ mcpServers: { atrium: remote() } }),
        },
      ],
      key: [
        { text: t`Clients that send headers need the URL and:`, code: `Authorization: Bearer ${KEY}` },
        {
          text: t`Clients that only start local servers need mcp-remote:`,
          code: json({ mcpServers: { atrium: remote(...keyHeader) } }),
        },
      ],
    },
  ]
}

/** `mcp-remote` refuses http, except on the same machine. */
const isPlainHttp = (url: string) =>
  url.startsWith('http:') && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url)

/** As far as the URL shows. */
export function isPublicUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' || !hostname.includes('.')) return false
  const isLocal = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|test|home\.arpa)$/.test(hostname)
  const isPrivate = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)
  return !isLocal && !isPrivate
}
