import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { ATRIUM_SERVER = 'http://127.0.0.1:3000', ATRIUM_API_KEY } = process.env
const [projectName = 'MCP example', note = 'Added over MCP'] = process.argv.slice(2)

const client = new Client({ name: 'mcp-example', version: '1.0.0' })
const headers = { authorization: `Bearer ${ATRIUM_API_KEY}` }
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', ATRIUM_SERVER), { requestInit: { headers } }),
)

const { tools } = await client.listTools()
console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`)

const project = await call('create_project', { name: projectName })
console.log(project)
await call('edit_canvas', { project: projectName, create: [{ type: 'note', content: note }] })
console.log(await call('read_canvas', { project: projectName }))
await client.close()

async function call(name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input })
  const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('\n')
  if (isError) throw new Error(`${name}: ${text}`)
  return text
}
