import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { t } from '../../../contract/text.ts'
import type { Model, ProviderState } from '../../api/models.ts'
import { type OrgSettings, organizationApi, orgSettingsQuery } from '../../api/organizations.ts'
import { useSession } from '../../api/session.ts'
import { InlineSelect } from '../../components/forms/select.tsx'
import { modelLabel } from '../../components/models/model-label.ts'
import { Section } from '../../components/section.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'

interface VisionModelProps {
  models: readonly Model[]
  providers: readonly ProviderState[]
}

/** For models that accept no images. */
export function VisionModel({ models, providers }: VisionModelProps) {
  const { role } = useSession()
  const settings = useQuery(orgSettingsQuery)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (visionModel: string | null) => organizationApi.orgSettings.update({ visionModel }),
    onSuccess: (saved: OrgSettings) => {
      queryClient.setQueryData(orgSettingsQuery.queryKey, saved)
      toast(t`Vision model saved`)
    },
    onError: toastFailure,
  })
  if (!settings.data) return null
  const chosen = (save.isPending ? save.variables : settings.data.visionModel) ?? ''
  const ids = models.filter(({ modalities }) => modalities.input.includes('image')).map(({ id }) => id)
  const labelOf = (id: string) =>
    modelLabel(
      models.find((model) => model.id === id),
      id,
      providers,
    )
  return (
    <Section
      title="Vision model"
      lead="Describes images once for models that don’t accept them. Without it, those models only learn that an image is there."
    >
      <div>
        <InlineSelect
          label="Vision model"
          value={chosen}
          options={[
            { value: '', label: t`None` },
            ...(chosen && !ids.includes(chosen) ? [chosen, ...ids] : ids).map((id) => ({
              value: id,
              label: labelOf(id),
            })),
          ]}
          disabled={role === 'member' || save.isPending}
          onChoose={(id) => save.mutate(id || null)}
        />
        {role === 'member' && <p className="mt-4 text-12 text-neutral-11">Admins can change it.</p>}
      </div>
    </Section>
  )
}
