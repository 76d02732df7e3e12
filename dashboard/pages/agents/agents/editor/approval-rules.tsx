import { useState } from 'react'
import {
  AGENT_RISK_NAMES,
  AGENT_RISKS,
  type ApprovalRule,
} from '../../../../../contract/agents/agent-options.ts'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { Button } from '../../../../components/button.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { Segments } from '../../../../components/layout/segments.tsx'
import type { FieldsProps } from './draft.ts'

type Choice = ApprovalRule | 'none'

const CHOICES: { value: Choice; label: string }[] = [
  { value: 'none', label: t`No rule` },
  { value: 'ask', label: t`Ask` },
  { value: 'allow', label: t`Allow` },
  { value: 'deny', label: t`Deny` },
]

const isRisk = (name: string): name is keyof typeof AGENT_RISKS => Object.hasOwn(AGENT_RISKS, name)

export function ApprovalRules({ draft: { approvals }, update, errorOf }: FieldsProps) {
  const tools = Object.keys(approvals).filter((name) => !isRisk(name))
  const set = (name: string, choice: Choice) => {
    const { [name]: _, ...rest } = approvals
    update({ approvals: choice === 'none' ? rest : { ...rest, [name]: choice } })
  }
  return (
    <>
      <ul className="border-neutral-6 border-t">
        {[...AGENT_RISK_NAMES, ...tools].map((name) => (
          <li
            key={name}
            className="flex flex-wrap items-center gap-x-12 gap-y-4 border-neutral-6 border-b py-8 last:border-b-0"
          >
            <Subject name={name} />
            <Segments
              label={textWithNames`Rule for ${isRisk(name) ? AGENT_RISKS[name].label : name}`}
              value={approvals[name] ?? 'none'}
              options={CHOICES}
              onChoose={(choice) => set(name, choice)}
            />
          </li>
        ))}
      </ul>
      <NewRule
        namesInUse={Object.keys(approvals)}
        error={errorOf('approvals')}
        onAdd={(name) => set(name, 'ask')}
      />
    </>
  )
}

function Subject({ name }: { name: string }) {
  return (
    <span className="min-w-0 flex-1 basis-qr">
      {isRisk(name) ? (
        <>
          <span className="block font-medium text-13">{AGENT_RISKS[name].label}</span>
          <span className="block text-12 text-neutral-11">{AGENT_RISKS[name].description}</span>
        </>
      ) : (
        <code className="wrap-anywhere font-mono text-13">{name}</code>
      )}
    </span>
  )
}

interface NewRuleProps {
  namesInUse: string[]
  error: string | undefined
  onAdd: (name: string) => void
}

/** Takes precedence over the rule for the tool's risk. */
function NewRule({ namesInUse, error, onAdd }: NewRuleProps) {
  const [name, setName] = useState('')
  const trimmed = name.trim()
  const add = () => {
    if (!trimmed || namesInUse.includes(trimmed)) return
    onAdd(trimmed)
    setName('')
  }
  return (
    <div className="flex items-end gap-8">
      <div className="min-w-0 flex-1">
        <TextField
          label="Rule for one tool"
          placeholder="web_fetch"
          autoComplete="off"
          spellCheck={false}
          error={error}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
      </div>
      <Button onClick={add} disabled={!trimmed || namesInUse.includes(trimmed)}>
        Add rule
      </Button>
    </div>
  )
}
