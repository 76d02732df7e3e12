import type { Logger } from 'pino'
import { mcpServers as contract } from '../../../../contract/agents/mcp-servers.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { agentReferences } from '../agents/agents.ts'
import { acceptTools } from './accept.ts'
import { checkServer } from './check.ts'
import { createServer } from './create.ts'
import { get, list, listRecentCalls, remove, signOut } from './manage.ts'
import { listExistingServerIds } from './queries.ts'
import { finishSignIn } from './sign-in/finish.ts'
import { startSignIn } from './sign-in/start.ts'
import { updateServer } from './update.ts'

export { callAcceptedTool } from './calls/call.ts'
export { toolBehavior } from './risk.ts'
export { listUsableTools, type UsableTool } from './tool-queries.ts'

/** MCP servers that provide tools to agents. */
export const mcpServers = ({ log }: { log: Logger }): Feature => ({
  routes: [
    handle(contract.list, list),
    handle(contract.create, createServer),
    handle(contract.get, get),
    handle(contract.update, updateServer),
    handle(contract.remove, remove),
    handle(contract.check, checkServer),
    handle(contract.accept, acceptTools),
    handle(contract.calls, listRecentCalls),
    handle(contract.signIn, startSignIn),
    handle(contract.signOut, signOut),
    handle(contract.callback, finishSignIn(log)),
  ],
  fills: [
    fill(agentReferences, {
      setting: 'mcpServers',
      listExisting: listExistingServerIds,
      warnAbout: () => 'the MCP server does not exist',
    }),
  ],
})
