import { z } from 'zod'
import { deviceLogin } from '../../../contract/accounts/device-login.ts'
import { workspaces } from '../../../contract/organizations/workspaces.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import type { McpTool } from './mcp-tool.ts'

const input = z.strictObject({})

const idAndName = z.object({ id: z.string(), name: z.string() })

export const whoami: McpTool<z.output<typeof input>> = {
  name: 'whoami',
  description:
    'Get the user, organization and workspaces that you act for, and whether you may only read. Use it first if a task depends on them.',
  input,
  output: z.object({
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
    organization: idAndName,
    role: z.string(),
    access: z.enum(['read', 'write']),
    workspaces: z.array(idAndName),
  }),
  effect: 'read',
  risk: 'none',
  async run(call) {
    const { user, organization, role } = await callEndpoint(call, deviceLogin.me)
    const { items } = await callEndpoint(call, workspaces.list)
    return {
      user,
      organization,
      role,
      access: call.access,
      workspaces: items.map(({ id, name }) => ({ id, name })),
    }
  },
}
