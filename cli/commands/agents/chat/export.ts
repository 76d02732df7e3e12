import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import { parseChoice } from '../../../parse-choice.ts'
import { printMessage, sanitizeLines } from '../../../terminal.ts'
import { findSession } from './subject.ts'

interface ExportOptions {
  server?: string
  json?: boolean
  format?: string
  output?: string
}

const FORMATS = ['markdown', 'json'] as const

/** Prints a session as a document, or writes it to a file. It streams: a conversation can have any length. */
export async function exportSession(
  ref: string,
  options: ExportOptions,
  environment: CliEnvironment,
): Promise<void> {
  const chosenFormat = parseChoice('format', FORMATS, options.format)
  if (options.json && chosenFormat === 'markdown')
    throw new Failure('usage', '--json cannot be combined with --format markdown')
  const format = options.json ? 'json' : (chosenFormat ?? 'markdown')
  const connection = await connect(options.server, environment)
  const { id } = await findSession(connection, ref)
  const response = await connection
    .request(`/api/v1/sessions/${id}/export?format=${format}`)
    .catch((error: unknown) => {
      throw explain(error, connection.server)
    })
  if (!response.ok || !response.body)
    throw new Failure('failed', `The server answered with ${response.status}`)
  const body = Readable.fromWeb(response.body as never)
  if (options.output !== undefined) {
    // `wx` replaces no file.
    await pipeline(body, createWriteStream(options.output, { flags: 'wx' })).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? new Failure('failed', `${options.output} exists already`) : error
      },
    )
    return printMessage(`Wrote ${options.output}`)
  }
  if (process.stdout.isTTY) await pipeline(body, sanitizeStream(), process.stdout, { end: false })
  else await pipeline(body, process.stdout, { end: false })
}

/** Removes control characters, which could rewrite the screen. */
const sanitizeStream = () => {
  const decoder = new TextDecoder()
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, sanitizeLines(decoder.decode(chunk, { stream: true }))),
  })
}
