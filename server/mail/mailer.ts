import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import { refuseInTransaction } from '../concurrency/work-scope.ts'
import type { Config } from '../config/config.ts'
import type { Mail, Mailer } from './mail.ts'

export const openMailer = (
  { smtpUrl, mailFrom, dataFolder }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataFolder'>,
  log: Logger,
): Mailer => {
  const send = smtpUrl
    ? smtpMailer(smtpUrl, mailFrom)
    : outboxMailer(join(dataFolder, 'outbox'), mailFrom, log)
  return async (mail) => {
    refuseInTransaction('a mail server')
    await send(mail)
  }
}

/** The message id derives from the mail's, so receivers can detect duplicates. */
export function smtpMailer(url: string, from: string): Mailer {
  let transport: Transporter | undefined
  return async (mail) => {
    // Lazy: most processes never send mail.
    transport ??= (await import('nodemailer')).createTransport(url)
    await transport.sendMail({
      from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      messageId: messageIdOf(mail),
      headers: unsubscribeHeaders(mail),
    })
  }
}

const VERIFY_TIMEOUT_MS = 10_000

export async function verifySmtp(url: string): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: VERIFY_TIMEOUT_MS, greetingTimeout: VERIFY_TIMEOUT_MS }
  const transport = createTransport({ url, ...timeouts })
  await transport.verify().finally(() => transport.close())
}

/** Atomic. */
export function outboxMailer(folder: string, from: string, log: Logger): Mailer {
  return async (mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${mail.id}.eml`)
    await writeFile(`${file}.part`, formatMessage(mail, from), { mode: 0o600 })
    await rename(`${file}.part`, file)
    log.info(`mail to ${mail.to}, "${mail.subject}", written to ${file}`)
  }
}

/** Unencoded, so links stay readable and complete. */
function formatMessage(mail: Mail, from: string): string {
  const headers = {
    From: from,
    To: mail.to,
    Subject: mail.subject,
    'Message-ID': messageIdOf(mail),
    ...unsubscribeHeaders(mail),
    Date: new Date().toUTCString(),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`)
  return `${lines.join('\n')}\n\n${mail.text}\n`
}

/** RFC 8058: one-request unsubscribe. */
const unsubscribeHeaders = ({ unsubscribeUrl }: Mail): Record<string, string> =>
  unsubscribeUrl
    ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {}

const messageIdOf = (mail: Mail) => `<${mail.id}@atrium>`
