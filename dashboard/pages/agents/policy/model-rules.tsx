import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { modelListQuery } from '../../../api/models.ts'
import { Combobox } from '../../../components/forms/combobox.tsx'
import { ModelMark } from '../../../components/models/model-mark.tsx'
import { Name } from '../../../components/name.tsx'

interface ModelRulesProps {
  label: string
  rules: string[]
  disabled: boolean
  onChange: (rules: string[]) => void
}

interface Choice {
  rule: string
  name: string
}

/** Models and whole providers as chips. A typed pattern counts too, since a provider may offer unlisted models. */
export function ModelRules({ label, rules, disabled, onChange }: ModelRulesProps) {
  const { providers = [], items = [] } = useQuery(modelListQuery).data ?? {}
  const choices: Choice[] = [
    ...providers.map(({ id, name }) => ({ rule: `${id}/*`, name: t`All ${name} models` })),
    ...items.map(({ id, name }) => ({ rule: id, name })),
  ]
  const nameOf = (rule: string) => choices.find((choice) => choice.rule === rule)?.name
  const remove = (rule: string) => onChange(rules.filter((each) => each !== rule))
  return (
    <div className="flex flex-col gap-8">
      <Combobox<Choice>
        label={label}
        hint={rules.length === 0 ? t`All models are allowed.` : undefined}
        text=""
        placeholder={disabled ? undefined : t`Add a model or a pattern, such as anthropic/*`}
        match={(search) => matching(choices, search)}
        keyOf={({ rule }) => rule}
        isChosen={({ rule }) => rules.includes(rule)}
        onChoose={({ rule }) => onChange([...rules, rule])}
        noMatch={t`No models match. A pattern has a provider and a model, such as openai/gpt-5 or anthropic/*.`}
      >
        {({ rule, name }) => (
          <>
            <ModelMark provider={providerOf(rule)} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">
                <Name>{name}</Name>
              </span>
              {name !== rule && (
                <code className="block truncate font-mono text-12 text-neutral-11">{rule}</code>
              )}
            </span>
          </>
        )}
      </Combobox>
      {rules.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-4">
          {rules.map((rule) => (
            <li
              key={rule}
              title={rule}
              className="inline-flex h-32 max-w-full items-center gap-8 rounded-control border border-neutral-6 bg-inset pl-4 text-13"
            >
              <ModelMark provider={providerOf(rule)} />
              <span className={`min-w-0 truncate ${nameOf(rule) ? '' : 'font-mono text-12'}`}>
                <Name>{nameOf(rule) ?? rule}</Name>
              </span>
              <button
                type="button"
                aria-label={textWithNames`Remove ${nameOf(rule) ?? rule}`}
                onClick={() => remove(rule)}
                className="flex size-24 shrink-0 items-center justify-center rounded-control text-neutral-11 hover:bg-hover hover:text-neutral-12 disabled:hidden"
              >
                <X aria-hidden className="size-12" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const providerOf = (rule: string) => rule.split('/')[0]!

/** As the server's: a provider and a model, or `*` for all its models. */
const PATTERN = /^[a-z0-9][a-z0-9_-]{0,62}\/(\*|[A-Za-z0-9@][\w.:/@+-]*)$/
const CHOICES_MAX = 60

function matching(choices: readonly Choice[], search: string): Choice[] {
  const typed = search.trim()
  const words = typed.toLowerCase().split(/\s+/)
  const found = choices.filter(({ rule, name }) =>
    words.every((word) => `${rule} ${name}`.toLowerCase().includes(word)),
  )
  const isUnlisted = PATTERN.test(typed) && !choices.some(({ rule }) => rule === typed)
  return [...(isUnlisted ? [{ rule: typed, name: typed }] : []), ...found.slice(0, CHOICES_MAX)]
}
