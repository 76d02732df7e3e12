import type { Command } from 'commander'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { listModels, listProviders, setPrice } from './models.ts'
import { addProvider, removeProvider, testProvider } from './providers.ts'

const HELP = `
<provider> is the id, slug or name of a provider that the organization added. API keys cannot add or delete providers, or set prices.

Examples:
  npx atrium models ls               models with context window and price; without a provider, the test models
  npx atrium models test openrouter  ask the provider for its models now
`

/** Adds `atrium models`. */
export function addModelCommands(program: Command, environment: CliEnvironment): void {
  const models = program
    .command('models')
    .description('List language models, and list and test their providers')
    .addHelpText('after', HELP)
    .exitOverride()
  command(models, 'ls', 'List models with context window and price').action((options) =>
    listModels(options, environment),
  )
  command(models, 'providers', 'List model providers with their status').action((options) =>
    listProviders(options, environment),
  )
  command(models, 'test <provider>', 'Test whether a provider responds').action((ref, options) =>
    testProvider(ref, options, environment),
  )
  command(
    models,
    'price <model>',
    'Print the URL of the page that sets the price and context window of a model',
  ).action((model, options) => setPrice(model, options, environment))
  command(models, 'add', 'Print the URL of the page that adds a provider').action((options) =>
    addProvider(options, environment),
  )
  command(models, 'rm <provider>', 'Print the URL of the page that deletes a provider').action(
    (ref, options) => removeProvider(ref, options, environment),
  )
}
