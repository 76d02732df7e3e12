import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { type OwnProvider, refreshModels } from './models-queries.ts'

/** Tests a saved provider. A test that fails must not look as if the provider was not saved. */
export async function testSaved({ id, name }: OwnProvider, verb: 'Added' | 'Saved'): Promise<void> {
  const { ok, problem, modelCount } = await api.modelProviders.test({ id }).catch((error: unknown) => ({
    ok: false,
    problem: explainShortly(error),
    modelCount: 0,
  }))
  await refreshModels()
  const count = modelCount === 1 ? '1 model' : `${modelCount} models`
  toast(ok ? withNames`${verb} ${name} with ${count}` : withNames`${verb} ${name}, but: ${problem}`)
}
