import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestApp } from '../test-app.ts'

/** An empty job queue means all mail is sent. */
export const waitForJobs = (app: TestApp) =>
  expect
    .poll(() => app.sql`select task_identifier, last_error from graphile_worker.jobs`, { timeout: 15_000 })
    .toHaveLength(0)

export interface ReceivedMail {
  to: string
  subject: string
  text: string
}

export async function mailsTo(app: TestApp, email: string): Promise<ReceivedMail[]> {
  await waitForJobs(app)
  const folder = join(app.dataFolder, 'outbox')
  const names = (await readdir(folder).catch(() => [])).sort()
  const mails = await Promise.all(names.map(async (name) => readMail(await readFile(join(folder, name)))))
  return mails.filter(({ to }) => to === email)
}

/** The newest link with a token. Notification mails have none. */
export async function linkTo(app: TestApp, email: string): Promise<{ url: string; token: string }> {
  const newest = (await mailsTo(app, email)).findLast(({ text }) => /http\S+#/.test(text))
  return linkIn(newest!)
}

export function linkIn({ text }: ReceivedMail): { url: string; token: string } {
  const url = /http\S+$/m.exec(text)![0]
  return { url, token: url.split('#')[1] ?? '' }
}

export function readMail(raw: Buffer): ReceivedMail {
  const [head = '', ...body] = raw.toString('latin1').replaceAll('\r\n', '\n').split('\n\n')
  const unfolded = head.replaceAll(/\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(unfolded)?.[1] ?? ''
  const text = body.join('\n\n')
  return {
    to: header('to'),
    subject: decodeHeader(header('subject')),
    text: decodeBody(text, header('content-transfer-encoding')),
  }
}

/** RFC 2047: the space between two encoded words isn't part of the text. */
const decodeHeader = (value: string) =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B' ? decodeBase64(text) : unquote(text.replaceAll('_', ' ')),
    )

function decodeBody(text: string, encoding: string): string {
  if (encoding === 'base64') return decodeBase64(text)
  if (encoding === 'quoted-printable') return unquote(text)
  return Buffer.from(text.replaceAll(' \n', ' '), 'latin1').toString('utf8')
}

const decodeBase64 = (text: string) => Buffer.from(text, 'base64').toString('utf8')

const unquote = (text: string) =>
  Buffer.from(
    text
      .replaceAll('=\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
