import type { Context } from '../../../../context.ts'
import { type StoredUpload, storeUpload } from '../../../files/files/files.ts'
import type { Utterance } from './conversation.ts'

interface Transcript {
  name: string
  summary: string | null
  startedAt: Date
  utterances: readonly Utterance[]
}

/** The name of a file of a call, without its extension. */
export function fileNameOf(
  { from = 'unknown', to = 'unknown' }: { from?: string | undefined; to?: string | undefined },
  startedAt: Date,
): string {
  const time = startedAt.toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')
  return `Call ${time} ${from} to ${to}`.replace(/[^\w+. -]/g, '_')
}

/** Stores the transcript of a call as text. No record owns it yet. */
export const storeTranscript = (ctx: Context, transcript: Transcript): Promise<StoredUpload> =>
  storeUpload(ctx, {
    name: `${transcript.name}.md`,
    mimeType: 'text/markdown',
    content: contentOf(transcript),
  })

async function* contentOf({ name, summary, utterances }: Transcript): AsyncIterable<Uint8Array> {
  yield Buffer.from(`# ${name}\n`)
  if (summary) yield Buffer.from(`\n${summary}\n`)
  for (const { role, text, seconds } of utterances) {
    const time = seconds === null ? '' : ` (${clock(seconds)})`
    yield Buffer.from(`\n**${role === 'user' ? 'Caller' : 'Agent'}**${time}: ${text}\n`)
  }
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
