import { dictionary } from '../../../contract/dictionary.ts'
import type { EndpointName } from '../../../contract/index.ts'
import { COVERED } from '../../tools/actions/reachable.ts'

/**
 * The endpoints that each tool calls, for annotations. run_action offers the endpoints that are marked as tools and not
 * listed here.
 */
export const ENDPOINTS_OF_TOOLS: Record<string, readonly EndpointName[]> = dictionary({
  ...COVERED,
  whoami: ['deviceLogin.me', 'workspaces.list'],
  // Besides the endpoints above: folders are created, and files go to the trash.
  organize_files: [...COVERED.organize_files, 'files.create', 'files.remove'],
  list_sessions: ['sessions.list'],
  read_session: ['sessions.get', 'sessions.messages'],
  start_run: ['sessions.create', 'sessions.send'],
  get_run: ['agentRuns.get'],
})

/** Endpoints that tools call and that stay actions, because the tool offers a part of them only. */
const ALSO_ACTIONS: readonly EndpointName[] = ['workspaces.list', 'files.create']

export const COVERED_BY_TOOLS: ReadonlySet<EndpointName> = new Set(
  Object.values(ENDPOINTS_OF_TOOLS)
    .flat()
    .filter((name) => !ALSO_ACTIONS.includes(name)),
)
