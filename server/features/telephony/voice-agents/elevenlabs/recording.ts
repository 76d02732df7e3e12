import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { type Context, createContext, type PublicContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import {
  discardObject,
  findOrCreateFolder,
  insertUpload,
  type StoredUpload,
  storeUpload,
} from '../../../files/files/files.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { FOLDER } from '../../recordings/call-files.ts'
import { contextOfOwner, NO_ACCESS } from '../named-agent.ts'
import type { VoiceAgentRow } from '../voice-agent-queries.ts'
import { openVoiceCall, publishCall, updateVoiceCall } from '../voice-calls.ts'
import { type Conversation, callParties } from './conversation.ts'
import { callFileName } from './post-call.ts'

export type RecordingResult = { upload: StoredUpload; problem: null } | { upload: null; problem: string }

export interface Recording {
  write: (bytes: Buffer) => Promise<void>
  finish: () => Promise<RecordingResult>
  discard: () => Promise<void>
}

/**
 * The owning file is inserted once the whole body's signature is verified. Until then nobody can read it, and after a
 * crash the sweep removes the object.
 */
export function openRecording(acting: Context<'objects' | 'quotas'>, name: string): Recording {
  const pipe = new PassThrough()
  // A rejected recording is still read for the signature, and its bytes are dropped.
  pipe.on('error', () => {})
  const result = store(acting, name, pipe).finally(() => pipe.destroy())
  result.catch(() => {})
  return {
    write: async (bytes) => {
      if (pipe.destroyed || pipe.write(bytes)) return
      await Promise.race([once(pipe, 'drain'), result]).catch(() => {})
    },
    finish: () => {
      pipe.end()
      return result
    },
    discard: async () => {
      pipe.destroy()
      await remove(acting, await result.catch(() => null))
    },
  }
}

async function store(
  acting: Context<'objects' | 'quotas'>,
  name: string,
  content: PassThrough,
): Promise<RecordingResult> {
  try {
    await acting.quotas.check(acting.sql, acting.caller.orgId, { files: 1, storage: 1 })
    const upload = await storeUpload(acting, { name, mimeType: 'audio/mpeg', content })
    return { upload, problem: null }
  } catch (error) {
    if (error instanceof ApiError) return { upload: null, problem: error.message }
    throw error
  }
}

async function remove(
  ctx: PublicContext<'objects'> & Pick<Context, 'caller'>,
  recorded: RecordingResult | null,
) {
  if (recorded?.upload) await discardObject(ctx, ctx.caller.orgId, recorded.upload.key)
}

/** Once per conversation. Returns false if its object isn't used. */
export const applyRecording = (
  ctx: PublicContext<'objects' | 'quotas'>,
  voiceAgent: VoiceAgentRow,
  conversation: Conversation,
  recorded: RecordingResult,
): Promise<boolean> =>
  ctx.transaction(async (inside) => {
    const { orgId, projectId } = voiceAgent
    const { sql } = inside
    const at = inside.now()
    const { ownNumber: _, ...parties } = callParties(conversation)
    const opened = await openVoiceCall(sql, orgId, voiceAgent, {
      ...{ id: newId(), providerId: conversation.conversation_id, numberId: null, status: 'in_progress' },
      ...{ ...parties, startedAt: at },
    })
    if (!opened) return false
    const { call } = opened
    const acting = recorded.upload && (await contextOfOwner(inside, voiceAgent))
    const isFirst = await recordEntry(sql, orgId, call.id, {
      ...{ key: 'elevenlabs:post_call_audio', at },
      ...(acting
        ? { type: 'recording_stored' }
        : { type: 'recording_not_stored', detail: recorded.problem ?? NO_ACCESS }),
    })
    if (!isFirst || !acting) return false
    const name = `${callFileName(call, new Date(call.startedAt))}.mp3`
    const parentId = await findOrCreateFolder(acting, projectId, FOLDER)
    const upload = { ...recorded.upload, name }
    const file = await insertUpload(createContext(acting), upload, { projectId, parentId })
    // A recording is complete when the call has ended.
    const { isEnd } = await advanceCall(sql, orgId, call.id, { status: 'completed', at })
    await updateVoiceCall(sql, orgId, call.id, { recordingFileId: file.id })
    if (opened.isNew) await publishCall(inside, orgId, 'call.started', call, 'in_progress')
    if (isEnd) await publishCall(inside, orgId, 'call.ended', call, 'completed')
    return true
  })
