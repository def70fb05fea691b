from stowboard_cli.main import main

main()
