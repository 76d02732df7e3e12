import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Model } from '../../api/models.ts'
import { type OrgSettings, organizationApi, orgSettingsQuery } from '../../api/organizations.ts'
import { useSession } from '../../api/session.ts'
import { InlineSelect } from '../../components/forms/select.tsx'
import { Section } from '../../components/section.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'

/** The model of agents that have none of their own. */
export function DefaultModel({ models }: { models: readonly Model[] }) {
  const { role } = useSession()
  const settings = useQuery(orgSettingsQuery)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (defaultModel: string | null) => organizationApi.orgSettings.update({ defaultModel }),
    onSuccess: (saved: OrgSettings) => {
      queryClient.setQueryData(orgSettingsQuery.queryKey, saved)
      toast('Saved the default model')
    },
    onError: toastFailure,
  })
  if (!settings.data) return null
  const chosen = (save.isPending ? save.variables : settings.data.defaultModel) ?? ''
  const ids = models.map(({ id }) => id)
  return (
    <Section title="Default model" lead="Agents without a model of their own use it.">
      <div>
        <InlineSelect
          label="Default model"
          value={chosen}
          options={[
            { value: '', label: 'First available model' },
            ...(chosen && !ids.includes(chosen) ? [chosen, ...ids] : ids).map((id) => ({
              value: id,
              label: id,
            })),
          ]}
          disabled={role === 'member' || save.isPending}
          onChoose={(id) => save.mutate(id || null)}
        />
        {role === 'member' && (
          <p className="mt-4 text-12 text-neutral-11">Admins of the organization can change it.</p>
        )}
      </div>
    </Section>
  )
}
