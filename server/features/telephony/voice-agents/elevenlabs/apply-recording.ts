import { createContext, type PublicContext } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { findOrCreateFolder, insertUpload } from '../../../files/files/files.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { FOLDER } from '../../recordings/call-files.ts'
import { contextOfOwner, NO_ACCESS } from '../acting.ts'
import { openVoiceCall, updateVoiceCall } from '../call-queries.ts'
import { publishCall } from '../publish-call.ts'
import type { VoiceAgentRow } from '../voice-agent-queries.ts'
import { type Conversation, partiesOf } from './conversation.ts'
import type { RecordingResult } from './recording.ts'
import { fileNameOf } from './transcript-file.ts'

/** Adds the recording of a conversation as a file, once per conversation; false if its object is not used. */
export const applyRecording = (
  ctx: PublicContext,
  voiceAgent: VoiceAgentRow,
  conversation: Conversation,
  recorded: RecordingResult,
): Promise<boolean> =>
  ctx.transaction(async (inside) => {
    const { orgId, projectId } = voiceAgent
    const { sql } = inside
    const at = inside.now()
    const { ownNumber: _, ...parties } = partiesOf(conversation)
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
    const name = `${fileNameOf(call, new Date(call.startedAt))}.mp3`
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
