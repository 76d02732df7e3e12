import type { InputOf } from '../../../../contract/endpoint.ts'
import type { modelProviders } from '../../../../contract/models/model-providers.ts'
import type { Context } from '../../../context.ts'
import type { Models } from '../../../language-models/models.ts'
import { findProvider } from './manage.ts'
import { providerOf } from './records.ts'

/** Lists the models of a provider, which also shows whether it accepts the key. */
export const checkProvider =
  (models: Models) =>
  async (ctx: Context, { id }: InputOf<typeof modelProviders.test>) => {
    const { problem, models: listed } = await models.check(providerOf(await findProvider(ctx, id), ctx.vault))
    return { ok: problem === null, problem, modelCount: listed.length }
  }
