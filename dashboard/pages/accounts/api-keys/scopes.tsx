import { Check, ChevronRight, X } from 'lucide-react'
import { keyAbilities } from '../../../../contract/accounts/key-abilities.ts'
import {
  OFFERED_READ_SCOPES,
  OFFERED_SCOPES,
  SCOPES,
  type Scope,
  scopeGrants,
} from '../../../../contract/accounts/scopes.ts'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { NamedChoice } from '../../../components/forms/named-choice.tsx'

interface ScopePickerProps {
  selected: Scope[]
  onChange: (selected: Scope[]) => void
  readOnly: boolean
}

export function ScopePicker({ selected, onChange, readOnly }: ScopePickerProps) {
  const { role } = useSession()
  const offered = (readOnly ? OFFERED_READ_SCOPES : OFFERED_SCOPES).filter(
    (scope) => role !== 'member' || scope !== 'billing:machine:charge',
  )
  // A scope that's no longer offered can be removed here.
  const listed = [...offered, ...selected.filter((scope) => !offered.includes(scope))]
  const toggle = (scope: Scope, on: boolean) =>
    onChange(on ? [...selected, scope] : selected.filter((other) => other !== scope))
  return (
    <fieldset>
      <legend className="mb-4 font-medium text-13">Scopes</legend>
      <ul className="rounded-control border border-neutral-6">
        {listed.map((scope) => {
          const included = !selected.includes(scope) && scopeGrants(selected, scope)
          return (
            <li key={scope} className="border-neutral-6 border-b last:border-b-0">
              <NamedChoice
                name={scope}
                description={SCOPES[scope]}
                checked={selected.includes(scope)}
                included={included}
                onToggle={(on) => toggle(scope, on)}
                className="px-12 py-8"
                note={included ? t`included` : undefined}
              />
            </li>
          )
        })}
      </ul>
      <p className="mt-4 text-12 text-neutral-11">
        {readOnly
          ? t`Scopes are needed only for files, models, agent changes, connections, API keys, machine payments and MCP. Without scopes, the key can read everything else you can.`
          : t`Scopes are needed only for files, models, agent changes, connections, API keys, machine payments and MCP. Without scopes, the key can do everything else you can.`}
      </p>
    </fieldset>
  )
}

export function ScopeReference() {
  return (
    <details className="group px-16 py-12 md:px-24">
      <summary className="flex items-center gap-8 text-13 text-neutral-11 hover:text-neutral-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open:rotate-90" />
        Scope reference
      </summary>
      <p className="mt-8 max-w-wide pl-24 text-13 text-neutral-11">
        A key has your permissions in this organization. Scopes limit its access to files, models, changes to
        agents, connections, API keys, machine payments and MCP; a read-only key changes nothing.
      </p>
      <dl className="mt-8 max-w-wide pl-24 text-13">
        {OFFERED_SCOPES.map((scope) => (
          <div
            key={scope}
            className="flex flex-wrap gap-x-16 border-neutral-6 border-b py-8 last:border-b-0 @medium:grid @medium:grid-cols-3"
          >
            <dt className="font-mono text-12">{scope}</dt>
            <dd className="text-neutral-11 @medium:col-span-2">{SCOPES[scope]}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

export function KeyAbilities({ scopes, readOnly }: { scopes: readonly string[]; readOnly: boolean }) {
  const { can, cannot } = keyAbilities({ scopes, readOnly })
  return (
    <div className="grid w-full gap-x-24 gap-y-12 @medium:grid-cols-2">
      <Sentences title="The key can" sentences={can} />
      <Sentences title="The key can’t" sentences={cannot} isRefused />
    </div>
  )
}

interface SentencesProps {
  title: string
  sentences: string[]
  isRefused?: boolean
}

function Sentences({ title, sentences, isRefused }: SentencesProps) {
  const Icon = isRefused ? X : Check
  return (
    <section className="min-w-0">
      <p className="mb-4 font-medium text-12 text-neutral-12">{title}</p>
      <ul aria-label={title} className="flex flex-col gap-4">
        {sentences.map((sentence) => (
          <li key={sentence} className="flex gap-8 text-13 text-neutral-11">
            <Icon
              aria-hidden
              className={`icon mt-px shrink-0 ${isRefused ? 'text-neutral-9' : 'text-good-text'}`}
            />
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  )
}
