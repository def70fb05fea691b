import './shell/frame/tokens.css'
import './shell/frame/base.css'

import { mount } from 'svelte'

import App from './App.svelte'

mount(App, { target: document.getElementById('app')! })
