import { t } from '../../../contract/text.ts'
import type { Model, ProviderState } from '../../api/models.ts'
import { priceLabel } from '../amounts.ts'

/** Two providers may offer a model with one name. */
export function modelLabel(
  model: Model | undefined,
  id: string,
  providers: readonly ProviderState[],
): string {
  if (!model) return id
  const provider = providers.find((each) => each.id === model.provider)
  const label = provider ? `${model.name} · ${provider.name}` : model.name
  const { pricing } = model
  return pricing ? t`${label} – ${priceLabel(pricing.input)} in, ${priceLabel(pricing.output)} out` : label
}
