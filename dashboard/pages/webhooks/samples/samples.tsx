import { useState } from 'react'
import { Code } from '../../../components/code.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import type { Webhook } from '../webhooks-queries.ts'
import { SAMPLES, sampleFor, secretLine } from './sample-texts.ts'

const TASKS = [
  { value: 'send', label: 'Send an event' },
  { value: 'receive', label: 'Verify a delivery' },
] as const

interface SamplesProps {
  webhook: Pick<Webhook, 'receiveUrl' | 'forwards' | 'receives'>
  /** Available only directly after the webhook was created. */
  secret?: string
}

/** Code samples for sending events and verifying deliveries. */
export function Samples({ webhook, secret }: SamplesProps) {
  const [task, setTask] = useState<keyof typeof SAMPLES>(webhook.forwards ? 'receive' : 'send')
  const [language, setLanguage] = useState('Node')
  const samples = SAMPLES[task]
  const sample = samples.find((each) => each.language === language) ?? samples[0]!
  return (
    <div className="flex min-w-0 flex-col gap-12">
      <div className="flex flex-wrap items-center justify-between gap-8">
        {webhook.receives && <Segments label="Task" value={task} options={TASKS} onChoose={setTask} />}
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
      <Code command what={`${sample.language} sample`}>
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
