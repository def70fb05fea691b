from stowboard.cli.main import main

main()
