import { useState } from 'react'
import { type ClientSetup, clientSetups, type SetupStep } from '../../../../contract/mcp/client-setups.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { Segments } from '../../../components/layout/segments.tsx'

const METHODS = [
  { value: 'signIn', label: 'Sign in with the browser' },
  { value: 'key', label: 'API key' },
] as const

export function ClientSetups({ url }: { url: string }) {
  const setups = clientSetups(url)
  const [id, setId] = useState<ClientSetup['id']>('claude-code')
  const [method, setMethod] = useState<'signIn' | 'key'>('signIn')
  const setup = setups.find((candidate) => candidate.id === id)!
  const { label, link, obstacle } = setup
  const steps = setup[method]
  return (
    <>
      <Segments
        label="Program"
        value={id}
        options={setups.map((candidate) => ({ value: candidate.id, label: candidate.label }))}
        onChoose={setId}
      />
      <Segments label="Authentication" value={method} options={METHODS} onChoose={setMethod} />
      {obstacle && method === 'signIn' && (
        <p className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          {obstacle}
        </p>
      )}
      {link && method === 'signIn' && (
        <a href={link} className={`${buttonClass('primary')} self-start`}>
          Add to {label}
        </a>
      )}
      {steps ? <Steps steps={steps} label={label} /> : <NoKey label={label} />}
    </>
  )
}

function Steps({ steps, label }: { steps: SetupStep[]; label: string }) {
  return (
    <ol className="flex flex-col gap-12" aria-label={`Set-up of ${label}`}>
      {steps.map(({ text, code }) => (
        <li key={text} className="flex min-w-0 flex-col gap-8 text-13">
          {text}
          {code && (
            <Code command what={`setup of ${label}`}>
              {code}
            </Code>
          )}
        </li>
      ))}
    </ol>
  )
}

function NoKey({ label }: { label: string }) {
  return (
    <p className="text-13 text-neutral-11">{label} does not accept API keys. Sign in with the browser.</p>
  )
}
