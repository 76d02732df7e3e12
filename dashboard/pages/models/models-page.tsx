import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Pencil } from 'lucide-react'
import { LOCALE, t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { type Model, modelListQuery, type ProviderState } from '../../api/models.ts'
import { type OrgSettings, organizationApi, orgSettingsQuery } from '../../api/organizations.ts'
import { useSession } from '../../api/session.ts'
import { priceLabel } from '../../components/amounts.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { InlineSelect } from '../../components/forms/select.tsx'
import { modelLabel } from '../../components/models/model-label.ts'
import { ModelMark } from '../../components/models/model-mark.tsx'
import { Name } from '../../components/name.tsx'
import { NoRowsMatch } from '../../components/no-matches.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Status } from '../../components/status.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { TitleCell } from '../../components/table/title-cell.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'
import { Page } from '../../frame/page.tsx'
import { useSearchInput } from '../../frame/search-input.ts'
import { EmbeddingsSettings } from './embeddings-settings.tsx'
import { LocalServers } from './local-servers.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { Providers } from './providers.tsx'
import { VisionModel } from './vision-model.tsx'
import { VoiceSettings } from './voice-settings.tsx'

const ROUTE = '/settings/organization/models'

const NEXT_STEPS = {
  member: t`Ask an organization admin to connect one.`,
  admin: t`All you need is a provider’s API key, or a model server of your own.`,
}

const route = getRouteApi('/app/settings/organization/models')

export function ModelsPage() {
  const { role } = useSession()
  const { q = '' } = route.useSearch()
  const { typed: filter, setTyped: setFilter } = useSearchInput(q)
  const { model: priced } = useSearch({ from: '/app/settings/organization/models' })
  const navigate = useNavigate()
  const openPrice = (model: string | undefined) =>
    void navigate({ to: ROUTE, search: { model }, replace: true })
  const canEdit = role !== 'member'
  const columns = modelColumns(canEdit ? ({ id }) => openPrice(id) : undefined)
  const models = useQuery(modelListQuery)
  const items = models.data?.items ?? []
  const query = filter.trim().toLowerCase()
  const found = items.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(query))
  const add = canEdit && (
    <Link to="/settings/organization/models/new" data-tour="connect" className={buttonClass('primary')}>
      Connect a model
    </Link>
  )
  return (
    <Page
      title="Models"
      count={models.data && items.length}
      filter={items.length > 0 ? { value: filter, onChange: setFilter, label: t`Filter models` } : undefined}
      action={models.data && models.data.providers.length > 0 && add}
    >
      {models.isPending && <SkeletonRows />}
      {models.error && !models.data && <Failure error={models.error} onRetry={() => models.refetch()} />}
      {models.data?.hint && (
        <Empty inline icon={Bot} title="No model connected yet" action={add}>
          Agents think with a provider’s models. Until you connect one, you only have test models.{' '}
          {NEXT_STEPS[role === 'member' ? 'member' : 'admin']}
        </Empty>
      )}
      {canEdit && (
        <div className="max-w-fields px-16 not-empty:py-16 md:px-24">
          <LocalServers />
        </div>
      )}
      {models.data && models.data.providers.length > 0 && query === '' && (
        <Section title="Providers" lead="A model ID starts with its provider’s ID.">
          <Providers states={models.data.providers} />
        </Section>
      )}
      {/* Above the list, which can be long. A filter shows the list alone, and forms keep what is typed. */}
      <div hidden={query !== ''} className="border-neutral-6 border-b">
        {items.length > 0 && <DefaultModel models={items} providers={models.data?.providers ?? []} />}
        {models.data && models.data.providers.length > 0 && (
          <>
            <VisionModel models={items} providers={models.data.providers} />
            <VoiceSettings models={items} />
          </>
        )}
        {models.data && <EmbeddingsSettings models={items} />}
      </div>
      {items.length > 0 && (
        <Table label="Models" columns={columns} rows={found} rowKey={(model) => model.id} />
      )}
      {items.length > 0 && found.length === 0 && <NoRowsMatch>No models match your filter.</NoRowsMatch>}
      <Outlet />
      {priced && canEdit && models.data && (
        <PriceDialog
          key={priced}
          model={items.find(({ id }) => id === priced) ?? { id: priced }}
          onClose={() => openPrice(undefined)}
        />
      )}
    </Page>
  )
}

/** For agents without their own model. */
function DefaultModel({
  models,
  providers,
}: {
  models: readonly Model[]
  providers: readonly ProviderState[]
}) {
  const { role } = useSession()
  const settings = useQuery(orgSettingsQuery)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (defaultModel: string | null) => organizationApi.orgSettings.update({ defaultModel }),
    onSuccess: (saved: OrgSettings) => {
      queryClient.setQueryData(orgSettingsQuery.queryKey, saved)
      toast(t`Default model saved`)
    },
    onError: toastFailure,
  })
  if (!settings.data) return null
  const chosen = (save.isPending ? save.variables : settings.data.defaultModel) ?? ''
  const ids = models.map(({ id }) => id)
  return (
    <Section
      title="Default model"
      lead="Used by agents that don’t have their own model. Prices are in US dollars per million tokens."
    >
      <div>
        <InlineSelect
          label="Default model"
          value={chosen}
          options={[
            { value: '', label: t`First available model` },
            ...(chosen && !ids.includes(chosen) ? [chosen, ...ids] : ids).map((id) => ({
              value: id,
              label: modelLabel(
                models.find((model) => model.id === id),
                id,
                providers,
              ),
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

const UNKNOWN = '–'

/** `onEdit` is absent for members, who can't set prices. */
const modelColumns = (onEdit?: (model: Model) => void): Column<Model>[] => [
  {
    header: t`Model`,
    wide: true,
    cell: ({ id, name, provider, availability, pricing }) => (
      <TitleCell
        face={<ModelMark provider={provider} />}
        note={
          <>
            <code className="font-mono">{id}</code>
            {pricing && (
              <span className="block whitespace-normal @medium:hidden">
                {t`${priceLabel(pricing.input)} in, ${priceLabel(pricing.output)} out per 1M tokens`}
              </span>
            )}
          </>
        }
      >
        <span className="flex min-w-0 items-center gap-8">
          <span className="truncate font-medium" title={name}>
            <Name>{name}</Name>
          </span>
          {availability === 'unavailable' && <Status meaning="bad">Unavailable</Status>}
        </span>
      </TitleCell>
    ),
  },
  {
    header: t`Abilities`,
    visibleFrom: 'extra-wide',
    cell: (model) => abilitiesOf(model).join(', ') || UNKNOWN,
  },
  {
    header: t`Context window`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ contextWindow }) => contextWindow?.toLocaleString(LOCALE) ?? UNKNOWN,
  },
  {
    header: t`Input / 1M`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ pricing }) => (pricing ? priceLabel(pricing.input) : UNKNOWN),
  },
  {
    header: t`Output / 1M`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ pricing }) => (pricing ? priceLabel(pricing.output) : UNKNOWN),
  },
  ...(onEdit ? [editColumn(onEdit)] : []),
]

const editColumn = (onEdit: (model: Model) => void): Column<Model> => ({
  header: t`Price and context window`,
  headerHidden: true,
  right: true,
  cell: (model) =>
    !model.isTest && (
      <Button
        look={model.pricing ? 'quiet' : 'plain'}
        size="small"
        aria-label={
          model.pricing ? textWithNames`Edit price for ${model.id}` : textWithNames`Set price for ${model.id}`
        }
        onClick={() => onEdit(model)}
      >
        <Pencil aria-hidden className="icon @medium:hidden" />
        <span className="hidden @medium:inline">{model.pricing ? t`Edit` : t`Set price`}</span>
      </Button>
    ),
})

const abilitiesOf = ({ tools, reasoning, modalities }: Model) => [
  ...(tools ? ['tools'] : []),
  ...(reasoning ? ['reasoning'] : []),
  ...(modalities.input.includes('image') ? ['images'] : []),
]
