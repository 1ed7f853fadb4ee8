from dbutils.cli import main

raise SystemExit(main())
