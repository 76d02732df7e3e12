import type { Sql } from '../../../database/database.ts'

/** Stores voicemail as the end reason of a call, even if the caller hangs up. */
export const updateVoicemail = (sql: Sql, orgId: string, callId: string) => sql`
  update calls set end_reason = coalesce(end_reason, 'voicemail')
  where org_id = ${orgId} and id = ${callId} and ended_at is null`

/** Stores the first recording of a call, which the call shows. */
export const updateRecordingFile = (sql: Sql, orgId: string, callId: string, fileId: string) => sql`
  update calls set recording_file_id = coalesce(recording_file_id, ${fileId})
  where org_id = ${orgId} and id = ${callId}`

export const updateTranscriptFile = (sql: Sql, orgId: string, callId: string, fileId: string) => sql`
  update calls set transcript_file_id = ${fileId}
  where org_id = ${orgId} and id = ${callId} and transcript_file_id is null`

export async function hasEntry(sql: Sql, orgId: string, callId: string, key: string): Promise<boolean> {
  const rows = await sql`
    select from call_entries where org_id = ${orgId} and call_id = ${callId} and key = ${key}`
  return rows.length > 0
}
