import { deflateRawSync } from 'node:zlib'
import type { Connection } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../../page.ts'
import { bytesByPath, type DocumentFile, type PlanItem } from './plan.ts'

/** Programs that open a URL accept at most 128 KB. */
const LINK_CHARACTERS_MAX = 100_000

/** API keys can't change skills and guardrails, because agents follow them. */
export const needsBrowser = ({ action, document: { kind } }: PlanItem): boolean =>
  action !== 'unchanged' && (kind === 'skill' || kind === 'guardrail')

/**
 * The page applies the changes in the user's session. They are in the URL fragment, which browsers never send to a
 * server.
 */
export async function applyInBrowser(
  connection: Connection,
  items: readonly PlanItem[],
  options: PageOptions,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const changes = deflateRawSync(JSON.stringify(items.map(changeOf))).toString('base64url')
  if (changes.length > LINK_CHARACTERS_MAX)
    throw new Failure(
      'refused',
      `The skill and guardrail changes are too long for a link: ${Math.ceil(changes.length / 1000)} KB, the limit is ${LINK_CHARACTERS_MAX / 1000} KB`,
      `Import the skills as zip files in the dashboard first: ${connection.server}/skills`,
    )
  const action = `Confirm ${items.length === 1 ? 'one change' : `${items.length} changes`}`
  const page = { path: `agents/apply#${changes}`, action, subject: 'skills and guardrails' }
  const url = openPage(connection, page, options)
  if (!shouldWait(options))
    throw new Failure(
      'refused',
      'Confirm the skill and guardrail changes in the browser; nothing has been applied yet',
      'Open the URL, confirm the changes, and run the command again.',
    )
  await pollFor(url, async () => (await isDone()) || null)
}

function changeOf({ document: { kind, name }, entry, changes }: PlanItem) {
  const body = Object.fromEntries(
    changes.map(({ field, before, after }) => [
      field,
      field === 'files' && entry ? fileChanges(before, after as DocumentFile[]) : after,
    ]),
  )
  return { kind, id: entry?.id ?? null, version: entry?.version ?? null, name, body }
}

function fileChanges(before: unknown, after: readonly DocumentFile[]): object[] {
  const [old, next] = [bytesByPath(before), bytesByPath(after)]
  const removed = Object.keys(old).filter((path) => !(path in next))
  return [
    ...removed.map((path) => ({ path, remove: true })),
    ...after.filter(({ path }) => old[path] !== next[path]),
  ]
}
