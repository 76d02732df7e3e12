import { useQuery } from '@tanstack/react-query'
import { ClipboardList } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { type Form, runFormsQuery } from '../../../api/for-each.ts'
import { type AgentRun, isActive } from '../../../api/runs.ts'
import { Name } from '../../../components/name.tsx'
import { FormRequest } from '../../../components/workflow-forms/form-request.tsx'

/** To answer on the run's page, whatever else the workflow waits for. */
export function OpenForms({ run }: { run: AgentRun }) {
  const open = useForms(run).filter(({ state }) => state === 'open')
  if (open.length === 0) return null
  return (
    <section aria-label={t`Open forms`} className="flex max-w-column flex-col gap-16 px-16 py-16 md:px-24">
      {open.map((form) => (
        <article
          key={form.id}
          aria-label={titleOf(form)}
          className="flex flex-col gap-12 rounded-panel bg-card p-16 shadow-waiting"
        >
          <Title form={form} as="h2" />
          <FormRequest form={form} />
        </article>
      ))}
    </section>
  )
}

export function EndedForms({ run }: { run: AgentRun }) {
  const ended = useForms(run).filter(({ state }) => state !== 'open')
  if (ended.length === 0) return null
  return (
    <section aria-label={t`Forms`}>
      <h2 className="px-16 pt-24 pb-12 font-strong md:px-24">Forms</h2>
      <ul className="flex max-w-column flex-col gap-24 px-16 md:px-24">
        {ended.map((form) => (
          <li key={form.id} className="flex min-w-0 flex-col gap-8">
            <Title form={form} as="h3" />
            <FormRequest form={form} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** In the order in which they were asked. */
const useForms = (run: AgentRun) =>
  useQuery({
    ...runFormsQuery(run.id, isActive(run)),
    enabled: run.kind === 'workflow',
  }).data?.toReversed() ?? []

const titleOf = ({ title }: Form) => title || t`Form`

const Title = ({ form, as: Heading }: { form: Form; as: 'h2' | 'h3' }) => (
  <Heading className="flex min-w-0 items-start gap-8 font-medium text-14">
    <ClipboardList aria-hidden className="icon mt-2 text-neutral-10" />
    <span className="wrap-anywhere min-w-0">
      <Name>{titleOf(form)}</Name>
    </span>
  </Heading>
)
