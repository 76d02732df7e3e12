import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import { type ContentRef, listWholeTexts, readWholeTexts } from '../../../files/files/files.ts'
import { listFileParts, type MessagePart, type MessageRow } from '../../conversations/conversations.ts'
import type { Documents, ReadMessages } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'

/** In messages as stored: they name a file's version. */
type FilePart = ContentRef & { type: 'file'; mimeType: string; name?: string } & MessagePart

export const isFilePart = (part: { type: string }): part is FilePart =>
  part.type === 'file' && 'fileId' in part && 'version' in part

const keyOf = ({ fileId, version }: ContentRef) => `${fileId} ${version}`

/** Before the prompt, because reading a document takes longer than a transaction may. */
export async function readDocuments(
  ctx: JobContext<'objects'>,
  { orgId, sessionId }: EngineRun,
  { read, hasQueued }: { read: ReadMessages | null; hasQueued: boolean },
): Promise<void> {
  if (read && read.messages.length > 0 && !hasQueued) return
  await readWholeTexts(ctx, orgId, await listFileParts(ctx.sql, orgId, sessionId))
}

/** Adds those of the messages that are stored. */
export async function loadDocuments(
  sql: Sql,
  orgId: string,
  messages: readonly MessageRow[],
  documents: Documents,
): Promise<void> {
  const refs = messages.flatMap(({ role, content }) => (role === 'user' ? content.filter(isFilePart) : []))
  const unknown = refs.filter((ref) => !documents.has(keyOf(ref)))
  if (unknown.length === 0) return
  for (const text of await listWholeTexts(sql, orgId, unknown)) documents.set(keyOf(text), text)
}

export interface ShowDocument {
  (part: FilePart): string
  isAnyShown: () => boolean
}

/** A document is shown once. The first ones fit, so that later ones change nothing before them. */
export function documentReader(documents: Documents, charactersMax: number): ShowDocument {
  const shown = new Set<string>()
  let characters = 0
  const show = (part: FilePart): string => {
    const document = documents.get(keyOf(part))
    if (!document) return lineOf(part)
    const { text, isLonger } = document
    if (text === null) return isLonger ? lineOf(part, TOO_LONG) : lineOf(part)
    if (shown.has(keyOf(part))) return lineOf(part, 'shown above')
    if (characters + text.length > charactersMax) return lineOf(part, TOO_LONG)
    shown.add(keyOf(part))
    characters += text.length
    return `${lineOf(part, shownHow(part))}\n${stableFence(text, sourceOf(part))}`
  }
  return Object.assign(show, { isAnyShown: () => shown.size > 0 })
}

const TOO_LONG = 'too long to be shown: search_knowledge with `files` finds passages in it'

const shownHow = ({ version, mimeType }: FilePart) =>
  `version ${version}, whole text${mimeType === 'application/pdf' ? ' without scanned pages' : ''}`

const sourceOf = ({ name, version }: FilePart) =>
  `the attached file${name === undefined ? '' : ` ${name}`}, version ${version}`

/** So that the model can name the file to its tools. */
function lineOf({ fileId, name }: FilePart, note?: string): string {
  const named = name === undefined ? '' : `: ${JSON.stringify(name)}`
  return `[Attached file${named}, id ${fileId}${note === undefined ? '' : `, ${note}`}]`
}
