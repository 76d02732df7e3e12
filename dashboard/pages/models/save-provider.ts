import { counted } from '../../../contract/counted.ts'
import { shortMessage } from '../../api/explain.ts'
import { organizationApi } from '../../api/organizations.ts'
import { withNames } from '../../components/name.tsx'
import { toast } from '../../components/toast.tsx'
import { type OwnProvider, refreshModels } from './models-queries.ts'

/** Tests a saved provider. A test that fails must not look as if the provider was not saved. */
export async function testSavedProvider({ id, name }: OwnProvider, change: 'added' | 'saved'): Promise<void> {
  const { ok, problem, modelCount } = await organizationApi.modelProviders
    .test({ id })
    .catch((error: unknown) => ({
      ok: false,
      problem: shortMessage(error),
      modelCount: 0,
    }))
  await refreshModels()
  const models = counted(modelCount, 'model')
  if (ok)
    toast(
      change === 'added' ? withNames`Added ${name} with ${models}` : withNames`Saved ${name} with ${models}`,
    )
  else toast(withNames`${name} is saved, but its test failed: ${problem}`)
}
