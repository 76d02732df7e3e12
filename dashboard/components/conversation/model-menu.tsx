import { useQuery } from '@tanstack/react-query'
import { Box, ChevronDown } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { agentQuery, modelsQuery } from '../../api/agents.ts'
import { Button } from '../button.tsx'
import { Menu, MenuChoice } from '../menu.tsx'
import { useModelOffers } from '../models/model-options.ts'

interface ModelMenuProps {
  agentId: string | undefined
  /** Null for the agent's. */
  model: string | null
  onChoose: (model: string | null) => void
}

/** A long list is searched on the agent's page. */
const MODELS_SHOWN_MAX = 30
const AGENTS_MODEL = ''

/** The agent's model, or another one for this conversation. */
export function ModelMenu({ agentId, model, onChoose }: ModelMenuProps) {
  const agent = useQuery({ ...agentQuery(agentId ?? ''), enabled: agentId !== undefined }).data
  const models = useQuery(modelsQuery).data ?? []
  const defaultModel = useModelOffers()?.defaultModel
  if (!agent) return null
  const nameOf = (id: string) => models.find((each) => each.id === id)?.name ?? id
  const usedModel = agent.model ?? defaultModel
  const agentsModel = usedModel ? nameOf(usedModel) : t`Default model`
  const listed = models
    .filter(({ id, isTest, availability }) => id === model || (!isTest && availability === 'available'))
    .slice(0, MODELS_SHOWN_MAX)
  const shown = model === null ? agentsModel : nameOf(model)
  const trigger = (
    <Button
      look="quiet"
      size="small"
      aria-label={textWithNames`Model: ${shown}`}
      className="min-w-0 shrink max-sm:hidden"
    >
      <Box aria-hidden className="icon" />
      <span className="max-w-qr truncate">{shown}</span>
      <ChevronDown aria-hidden className="size-12 text-neutral-9" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label="Model"
        value={model ?? AGENTS_MODEL}
        closes
        options={[
          { value: AGENTS_MODEL, label: t`Agent’s model: ${agentsModel}` },
          ...listed.map(({ id, name }) => ({ value: id, label: name || id })),
        ]}
        onChoose={(id) => onChoose(id === AGENTS_MODEL ? null : id)}
      />
    </Menu>
  )
}
