import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { queueMail } from './mail.ts'

const MAIL = {
  id: 'news-1-to-ada',
  to: 'ada@example.com',
  subject: 'Grüße 👋',
  text: 'Zeile eins\n.\nZeile drei',
}

let app: TestApp
let smtp: SMTPServer | undefined
afterEach(async () => {
  await app.close()
  if (smtp) await new Promise<void>((resolve) => smtp!.close(() => resolve()))
  smtp = undefined
})

const queue = () => queueMail(app.sql, null, MAIL, app.clock.now())
const countUnsent = async () => (await app.sql`select from mails where sent_at is null`).length

describe('mail with ATRIUM_SMTP_URL', () => {
  /** A real SMTP server that collects mails and refuses the first `refusals`. */
  async function startSmtp(refusals = 0) {
    const received: { from: string; to: string[]; text: string }[] = []
    let refusalsLeft = refusals
    smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, session, done) {
        let text = ''
        stream.on('data', (chunk) => {
          text += chunk
        })
        stream.on('end', () => {
          if (refusalsLeft-- > 0) return done(new Error('busy, come back later'))
          const { mailFrom, rcptTo } = session.envelope
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            text,
          })
          done()
        })
      },
    })
    smtp.listen(0, '127.0.0.1')
    await once(smtp.server, 'listening')
    const { port } = smtp.server.address() as AddressInfo
    app = await buildTestApp({
      env: { ATRIUM_SMTP_URL: `smtp://127.0.0.1:${port}`, ATRIUM_MAIL_FROM: 'Atrium <post@example.com>' },
    })
    await app.app.startWorker()
    return received
  }

  test('reaches the server complete and once, and its text is deleted', async () => {
    const received = await startSmtp()
    await Promise.all([queue(), queue()])
    await expect.poll(countUnsent).toBe(0)
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ from: 'post@example.com', to: ['ada@example.com'] })
    expect(received[0]!.text).toContain('Message-ID: <news-1-to-ada@atrium>')
    expect(await app.sql`select body from mails`).toEqual([{ body: null }])
  })

  test('is retried if the server refuses it', async () => {
    const received = await startSmtp(1)
    await queue()
    await expect.poll(countUnsent).toBe(0)
    expect(received).toHaveLength(1)
  })
})

describe('mail without ATRIUM_SMTP_URL', () => {
  test('is written to a private file in the outbox', async () => {
    app = await buildTestApp()
    await app.app.startWorker()
    await queue()
    await expect.poll(countUnsent).toBe(0)
    const outbox = join(app.dataFolder, 'outbox')
    expect(await readdir(outbox)).toEqual(['news-1-to-ada.eml'])
    const file = join(outbox, 'news-1-to-ada.eml')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(text).toContain('To: ada@example.com\nSubject: Grüße 👋\n')
    expect(text).toContain(`\n\n${MAIL.text}\n`)
  })
})
