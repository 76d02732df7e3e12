import type { Sql } from '../../../../database/database.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import { clip } from '../../../../tools/clip.ts'
import {
  findHits,
  findRunMemory,
  type Hit,
  insertRunMemory,
  listKeys,
} from '../../../knowledge/memory/memory.ts'
import { listNewestUserMessage } from '../../conversations/conversations.ts'
import type { PromptParts, RunAgent } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'

const HITS_MAX = 5
const HIT_BYTES = 2000
const KEYS_MAX = 30

interface RunMemory {
  /** The newest user message's run, which a retry continues. */
  runId: string
  content: string
}

/**
 * Keys to look up, and texts matching the newest user message. Chosen once and stored, so that every later prompt
 * repeats it before that message. Empty without any memory.
 */
export async function runMemory(
  sql: Sql,
  run: Pick<EngineRun, 'orgId' | 'id' | 'projectId' | 'sessionId'>,
  agent: Pick<RunAgent, 'tools'>,
  parts?: Pick<PromptParts, 'memory'>,
): Promise<RunMemory | null> {
  if (!agent.tools.memory) return null
  const { orgId, id: runId } = run
  const stored = parts ? parts.memory : await findRunMemory(sql, orgId, runId)
  return stored === null ? chooseMemory(sql, run) : { runId, content: stored }
}

async function chooseMemory(
  sql: Sql,
  { orgId, id, projectId, sessionId }: Pick<EngineRun, 'orgId' | 'id' | 'projectId' | 'sessionId'>,
): Promise<RunMemory> {
  const keys = await listKeys(sql, orgId, projectId, KEYS_MAX + 1)
  const [message] = keys.length > 0 ? await listNewestUserMessage(sql, orgId, sessionId) : []
  const runId = message?.runId ?? id
  if (runId !== id) {
    await insertRunMemory(sql, orgId, { runId: id, content: '', memoryIds: [] })
    const stored = await findRunMemory(sql, orgId, runId)
    if (stored !== null) return { runId, content: stored }
  }
  const hits = message ? await findHits(sql, orgId, projectId, message.body, HITS_MAX) : []
  const content = keys.length > 0 ? render(keys, hits) : ''
  await insertRunMemory(sql, orgId, { runId, content, memoryIds: hits.map(({ id }) => id) })
  return { runId, content }
}

/** The marker is stable, so that equal memories are equal texts. */
function render(keys: { key: string }[], hits: Hit[]): string {
  const names = keys.slice(0, KEYS_MAX).map(({ key }) => JSON.stringify(key))
  const list = `Keys, newest first: ${names.join(', ')}${keys.length > KEYS_MAX ? ' and more' : ''}`
  const texts = hits.map(
    ({ key, projectId, content }) =>
      `${JSON.stringify(key)} (${projectId === null ? 'organization' : 'project'}):\n${clip(content, HIT_BYTES).text}`,
  )
  return stableFence([list, ...texts].join('\n\n'), 'the memory, which search_memory searches')
}
