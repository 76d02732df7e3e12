import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Model } from '../../../api/models.ts'
import { type OrgSettings, orgSettingsQuery } from '../../../api/org-settings.ts'
import { organizationApi } from '../../../api/organizations/organization-api.ts'
import { useSession } from '../../../api/session.ts'
import { Select } from '../../../components/forms/select.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { Section } from '../section.tsx'

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
      <div className="max-w-form">
        <Select
          label="Default model"
          value={chosen}
          disabled={role === 'member' || save.isPending}
          hint={role === 'member' ? 'Admins of the organization can change it.' : undefined}
          onChange={(event) => save.mutate(event.target.value || null)}
        >
          <option value="">First available model</option>
          {(chosen && !ids.includes(chosen) ? [chosen, ...ids] : ids).map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </Select>
      </div>
    </Section>
  )
}
