import { useState } from 'react'
import { Code } from '../../../components/code.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import type { Webhook } from '../webhooks-queries.ts'
import { SAMPLES, sampleFor, secretLine } from './sample-texts.ts'

const PURPOSES = [
  { value: 'send', label: 'Send to it' },
  { value: 'receive', label: 'Verify what it sends' },
] as const

interface SamplesProps {
  webhook: Pick<Webhook, 'receiveUrl' | 'forwards'>
  /** Known only right after it was made. */
  secret?: string
}

/** Programs to copy, run and change. */
export function Samples({ webhook, secret }: SamplesProps) {
  const [purpose, setPurpose] = useState<keyof typeof SAMPLES>(webhook.forwards ? 'receive' : 'send')
  const [wanted, setWanted] = useState('Node')
  const offered = SAMPLES[purpose]
  const sample = offered.find(({ language }) => language === wanted) ?? offered[0]!
  return (
    <div className="flex min-w-0 flex-col gap-12">
      <div className="flex flex-wrap items-center justify-between gap-8">
        <Segments label="What the sample does" value={purpose} options={PURPOSES} onChoose={setPurpose} />
        <Segments
          label="Language of the sample"
          value={sample.language}
          options={offered.map(({ language }) => ({ value: language, label: language }))}
          onChoose={setWanted}
        />
      </div>
      <Code command what="line with the secret">
        {secretLine(secret)}
      </Code>
      <Code command what={`${sample.language} sample`}>
        {sampleFor(sample, webhook.receiveUrl)}
      </Code>
      {sample.run && (
        <p className="text-12 text-neutral-11">
          Save it as <code className="font-mono">{sample.file}</code> and run{' '}
          <code className="font-mono">{sample.run}</code>. It needs nothing but the standard library.
        </p>
      )}
    </div>
  )
}
