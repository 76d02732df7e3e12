#!/usr/bin/env node
import { launch } from '../build/launch.js'

await launch('cli', import.meta.url)
