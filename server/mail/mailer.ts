import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { Mail, Mailer } from './mail.ts'

/** Sends over SMTP. The message id is the mail's own, so a receiver can tell a repetition. */
export function smtpMailer(url: string, from: string): Mailer {
  let transport: Transporter | undefined
  return async (mail) => {
    // Loaded with the first mail: most starts never need it.
    transport ??= (await import('nodemailer')).createTransport(url)
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
  return async (mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${mail.id}.eml`)
    await writeFile(`${file}.part`, readable(mail, from), { mode: 0o600 })
    await rename(`${file}.part`, file)
    log.info(`mail to ${mail.to}, "${mail.subject}", written to ${file}`)
  }
}

/** As plain as a message can be: whoever opens the file reads the text as it was written, its links unbroken. */
function readable(mail: Mail, from: string): string {
  const headers = {
    From: from,
    To: mail.to,
    Subject: mail.subject,
    'Message-ID': messageIdOf(mail),
    Date: new Date().toUTCString(),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`)
  return `${lines.join('\n')}\n\n${mail.text}\n`
}

const messageIdOf = (mail: Mail) => `<${mail.id}@atrium>`
