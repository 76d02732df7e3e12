import type { Access, Endpoint } from '../contract/endpoint.ts'
import { contract } from '../contract/index.ts'
import { accessRowsOf } from './access-rows.ts'
import {
  ADMIN,
  guestVerdict,
  keyVerdict,
  MEMBER,
  OPERATOR,
  OWNER,
  readOnlyVerdict,
  sessionVerdict,
  type User,
} from './access-verdicts.ts'

const COLUMNS = [
  'Endpoints',
  'Viewer',
  'Member',
  'Admin',
  'Owner',
  'Operator',
  'API key',
  'Read-only key',
  'Guest',
]
const NO = '–'

/**
 * The permissions of each kind of caller, as Markdown: endpoints of one resource with the same permissions share a row.
 */
export function rolesTable(): string {
  const lines = [COLUMNS, COLUMNS.map(() => '---'), ...Object.entries(contract).flatMap(rowsOf)]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function rowsOf([noun, group]: [string, Record<string, Endpoint>]): string[][] {
  const namesByCells = new Map<string, string[]>()
  for (const [name, endpoint] of Object.entries(group)) {
    for (const { suffix, access } of accessRowsOf(endpoint)) {
      if (access.kind === 'public' || access.kind === 'signature' || suffix.endsWith('=false')) continue
      const cells = cellsOf(endpoint, access).join(' | ')
      namesByCells.set(cells, [...(namesByCells.get(cells) ?? []), `${name}${suffix}`])
    }
  }
  return [...namesByCells].map(([cells, names]) => [`**${noun}**: ${names.join(', ')}`, cells])
}

const cellsOf = (endpoint: Endpoint, access: Access): string[] => [
  'edits' in access && access.edits ? NO : userCell(endpoint, access, MEMBER),
  ...[MEMBER, ADMIN, OWNER, OPERATOR].map((user) => userCell(endpoint, access, user)),
  keyCell(access),
  isSelf(access) || readOnlyVerdict(access, endpoint.method) === 'passes' ? keyCell(access) : NO,
  guestCell(access),
]

function userCell({ reduced }: Endpoint, access: Access, user: User): string {
  if (sessionVerdict(user, true)(access) !== 'passes') return NO
  if (reduced && user.role === 'member') return 'in part'
  return access.kind === 'stepped-up' ? 'step-up' : 'yes'
}

function keyCell(access: Access): string {
  if (isSelf(access)) return 'itself'
  if (keyVerdict(OWNER, true)(access) !== 'passes') return NO
  return access.kind === 'member' && access.scope ? `\`${access.scope}\`` : 'yes'
}

const isSelf = (access: Access) => access.kind === 'stepped-up' && access.orSelf === true

function guestCell(access: Access): string {
  if (guestVerdict('view')(access) === 'passes') return 'yes'
  if (guestVerdict('comment')(access) === 'passes') return 'comment link'
  return guestVerdict('edit')(access) === 'passes' ? 'edit link' : NO
}
