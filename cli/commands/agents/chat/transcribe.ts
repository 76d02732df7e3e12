import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { readResponse } from '../../../../client/client.ts'
import { voice } from '../../../../contract/agents/voice.ts'
import { RECORDING_BYTES_MAX } from '../../../../contract/agents/voice-options.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { Failure, unreadable } from '../../../failure.ts'
import { print, printData, printMessage, sanitize } from '../../../terminal.ts'
import { formatBytes } from '../../files/sizes.ts'
import { findSubject } from './subject.ts'

/** As long as the server waits for the provider, and the upload before. */
const TIMEOUT_MS = 300_000

interface TranscribeOptions {
  server?: string
  json?: boolean
  project?: string
  session?: string
  continue?: boolean
  language?: string
}

/** Prints the text, for `npx atrium chat -` or an editor. Nothing is sent to an agent. */
export async function transcribe(
  path: string,
  { language, ...options }: TranscribeOptions,
  environment: CliEnvironment,
): Promise<void> {
  const form = await formOf(path, language)
  const connection = await connect(options.server, environment)
  const subject = await findSubject(connection, options)
  const target = subject.session
    ? voice.transcribe.path.replace(':id', subject.session.id)
    : `${voice.transcribeForProject.path}?projectId=${subject.project.id}`
  const transcription = await parseResponse(
    connection.server,
    voice.transcribe,
    send(connection, target, form),
  )
  if (options.json) return printData(transcription)
  if (transcription.text === '') return printMessage('Nothing was said')
  print(sanitize(transcription.text))
}

async function formOf(path: string, language: string | undefined): Promise<FormData> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('failed', unreadable(path, error))
  })
  if (!found.isFile()) throw new Failure('usage', `${path} is not a file`)
  if (found.size > RECORDING_BYTES_MAX)
    throw new Failure(
      'failed',
      `The recording has ${formatBytes(found.size)}; the limit is ${formatBytes(RECORDING_BYTES_MAX)}`,
    )
  const form = new FormData()
  if (language !== undefined) form.set('language', language)
  form.set('audio', await openAsBlob(path), basename(path))
  return form
}

async function send({ request }: Connection, path: string, body: FormData) {
  const response = await request(path, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) })
  return (await readResponse(response, {})) as OutputOf<typeof voice.transcribe>
}
