/* oxlint-disable import/default -- `?raw` imports the text of a file */

import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { Code } from '../../../components/code.tsx'
import { SecretDialog } from '../../../components/dialogs/secret-dialog.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { withNames } from '../../../components/name.tsx'
import type { Webhook, WebhookWithSecret } from '../webhooks-queries.ts'
import receiveNode from './receive.mjs?raw'
import receivePython from './receive.py?raw'
import sendNode from './send.mjs?raw'
import sendPython from './send.py?raw'
import sendCurl from './send.sh?raw'
import sendSignedCurl from './send-signed.sh?raw'

const TASKS = [
  { value: 'send', label: t`Send an event` },
  { value: 'receive', label: t`Verify a delivery` },
] as const

interface SamplesProps {
  webhook: Pick<Webhook, 'receiveUrl' | 'forwards' | 'receives' | 'source'>
  /** Available only right after creation. */
  secret?: string
}

export function Samples({ webhook, secret }: SamplesProps) {
  // A known source signs in its own way, so the samples can't send for it.
  const canSend = webhook.receives && webhook.source === 'custom'
  const [task, setTask] = useState<keyof typeof SAMPLES>(webhook.forwards || !canSend ? 'receive' : 'send')
  const [language, setLanguage] = useState('Node')
  const samples = SAMPLES[task]
  const sample = samples.find((each) => each.language === language) ?? samples[0]!
  return (
    <div className="flex min-w-0 flex-col gap-12">
      <div className="flex flex-wrap items-center justify-between gap-8">
        {canSend && <Segments label="Task" value={task} options={TASKS} onChoose={setTask} />}
        <Segments
          label="Language"
          value={sample.language}
          options={samples.map((each) => ({ value: each.language, label: each.language }))}
          onChoose={setLanguage}
        />
      </div>
      <Code command what="environment variable">
        {secretLine(secret)}
      </Code>
      <Code command what={t`${sample.language} sample`}>
        {sampleFor(sample, webhook.receiveUrl)}
      </Code>
      {sample.run && (
        <p className="text-12 text-neutral-11">
          Save it as <code className="font-mono">{sample.file}</code> and run{' '}
          <code className="font-mono">{sample.run}</code>. No dependencies required.
        </p>
      )}
    </div>
  )
}

export interface Sample {
  language: string
  /** The file name and the command to run it. */
  file?: string
  run?: string
  text: string
}

/** Complete programs that read the secret from WEBHOOK_SECRET. A test runs them all. */
export const SAMPLES: Record<'send' | 'receive', Sample[]> = {
  send: [
    { language: 'curl', text: sendCurl },
    { language: t`curl, signed`, text: sendSignedCurl },
    { language: 'Node', file: 'send.mjs', run: 'node send.mjs', text: sendNode },
    { language: 'Python', file: 'send.py', run: 'python3 send.py', text: sendPython },
  ],
  receive: [
    { language: 'Node', file: 'receive.mjs', run: 'node receive.mjs', text: receiveNode },
    { language: 'Python', file: 'receive.py', run: 'python3 receive.py', text: receivePython },
  ],
}

const PLACEHOLDER_URL = 'https://atrium.example/receive'

export const sampleFor = ({ text }: Sample, receiveUrl: string) =>
  text.trimEnd().replaceAll(PLACEHOLDER_URL, receiveUrl)

/** The secret is shown only once, so later a placeholder replaces it. */
export const secretLine = (secret = 'whsec_…') => `export WEBHOOK_SECRET='${secret.replaceAll("'", `'\\''`)}'`

/** The only time the secret is shown in full. */
export function CopySecretDialog({ webhook, onDone }: { webhook: WebhookWithSecret; onDone: () => void }) {
  const { name, secret, receives } = webhook
  return (
    <SecretDialog
      size="wide"
      title={withNames`Copy the secret for “${name}”`}
      what="secret"
      value={secret}
      about={
        receives
          ? t`The secret is shown only once. Anyone who has it can send signed requests to this webhook.`
          : t`The secret is shown only once. Your endpoint needs it to verify deliveries.`
      }
      onClose={onDone}
    >
      <Samples webhook={webhook} secret={secret} />
    </SecretDialog>
  )
}
