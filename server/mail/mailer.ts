import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Mail, Mailer } from './mail.ts'

/** Sends over SMTP. The message id is the mail's own, so a receiver can tell a repetition. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url)
  return async (mail) => {
    await transport.sendMail({
      from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      messageId: messageIdOf(mail),
    })
  }
}

/** Without SMTP: writes each mail to a file, whole or not at all, and says so in the log. */
export function outboxMailer(folder: string, from: string, log: Logger): Mailer {
  const compose = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return async (mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { message } = await compose.sendMail({
      from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      messageId: messageIdOf(mail),
    })
    const file = join(folder, `${mail.id}.eml`)
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
    await rename(`${file}.part`, file)
    log.info(`mail to ${mail.to}, "${mail.subject}", written to ${file}`)
  }
}

const messageIdOf = (mail: Mail) => `<${mail.id}@atrium>`
