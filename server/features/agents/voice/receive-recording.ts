import type { FileHandle } from 'node:fs/promises'
import {
  RECORDING_BYTES_MAX,
  RECORDING_SECONDS_MAX,
  type RecordingType,
} from '../../../../contract/agents/voice-options.ts'
import type { Form } from '../../../../contract/endpoint.ts'
import { createSemaphore } from '../../../concurrency/semaphore.ts'
import { ApiError, badField } from '../../../errors.ts'
import type { Recording } from '../../../language-models/audio/transcribe.ts'
import { openUnlinked, raiseDiskFailure } from '../../../storage/spool.ts'
import { measureRecording } from './recording/measure.ts'
import { seekable } from './recording/seekable.ts'

const FIELD = 'body.audio'
const READ_BYTES = 65_536
export const MIME_TYPES: Record<RecordingType, string> = {
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  mp4: 'audio/mp4',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
}

interface Received<Fields> {
  fields: Fields
  recording: Recording
}

/** Each takes up to 25 MB of the disk, for as long as a slow client or provider takes. */
const transcriptions = createSemaphore({
  ...{ name: 'transcriptions', permits: 24, permitsPerKey: 6, waitingPerKeyMax: 20, waitingMax: 100 },
  // The body waits meanwhile.
  waitMs: 30_000,
})

/** On disk while it arrives and until `use` ends: a slow client or provider holds no memory. */
export const withRecording = <Fields, T>(
  { orgId, folder }: { orgId: string; folder: string },
  form: Form<Fields>,
  use: (received: Received<Fields>) => Promise<T>,
): Promise<T> => transcriptions.run(orgId, () => receive(folder, form, use))

async function receive<Fields, T>(
  folder: string,
  form: Form<Fields>,
  use: (received: Received<Fields>) => Promise<T>,
): Promise<T> {
  const file = await openUnlinked(folder)
  try {
    const { fields, file: size } = await form.read(({ content }) => store(file, content))
    const measured = await measureRecording(seekable(file, size))
    if (!measured) throw badField(FIELD, 'must be a recording in WebM, Ogg, MP4, WAV or MP3')
    const { type, seconds } = measured
    if (seconds > RECORDING_SECONDS_MAX)
      throw badField(FIELD, `must be at most ${RECORDING_SECONDS_MAX / 60} minutes long`)
    const read = () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES })
    const recording = { name: `recording.${type}`, mimeType: MIME_TYPES[type], size, seconds, read }
    return await use({ fields, recording })
  } finally {
    await file.close()
  }
}

async function store(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > RECORDING_BYTES_MAX) throw tooLarge()
    await file.writeFile(chunk).catch(raiseDiskFailure)
  }
  return size
}

function tooLarge() {
  const message = `must be at most ${RECORDING_BYTES_MAX} bytes (${RECORDING_BYTES_MAX / 1_048_576} MB)`
  return new ApiError('PAYLOAD_TOO_LARGE', `${FIELD} ${message}`, { details: [{ path: FIELD, message }] })
}
